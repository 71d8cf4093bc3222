import { startChromium } from './chromium.mjs';
import { testEngine } from './scenario.mjs';

testEngine(startChromium);
