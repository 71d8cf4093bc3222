import { startWebKit } from './webkit.mjs';
import { testClass } from './class.mjs';

testClass(startWebKit);
