import { startFirefox } from './firefox.mjs';
import { testClass } from './class.mjs';

testClass(startFirefox);
