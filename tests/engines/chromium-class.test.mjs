import { startChromium } from './chromium.mjs';
import { testClass } from './class.mjs';

testClass(startChromium);
