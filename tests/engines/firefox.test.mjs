import { startFirefox } from './firefox.mjs';
import { testEngine } from './scenario.mjs';

testEngine(startFirefox);
