// This thread sleeps, and measures how late it wakes. It takes off the time for which it was ready but had no processor. The rest is
// time in which the whole machine stood still, as a virtual one does while its host runs others. No program can cause that.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const NAP = 5; // ms
const LATE = 10; // ms: less is the kernel's timer

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const shared = new Float64Array(workerData); // [0]: the longest such time, ms; [1]: not 0 when the thread must end

// The time (ms) for which this thread ran, or was ready to run.
function busy() {
  try {
    const [ran, waited] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ').map(Number);
    return (ran + waited) / 1e6;
  } catch {
    return Infinity; // the system does not count this
  }
}

let known = busy();
parentPort?.postMessage('ready');
while (shared[1] === 0) {
  const began = performance.now();
  Atomics.wait(sleeper, 0, 0, NAP);
  const late = performance.now() - began - NAP;
  const next = busy();
  const still = late - (next - known);
  if (still > Math.max(LATE, shared[0])) shared[0] = still;
  known = next;
}
