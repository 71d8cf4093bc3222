import { startWebKit } from './webkit.mjs';
import { testEngine } from './scenario.mjs';

testEngine(startWebKit);
