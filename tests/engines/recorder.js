// Runs in the page before anything else: keeps what the page complains about, for the test to read. The drivers have no
// common way to read a browser's console.
(() => {
  const complaints = JSON.parse(sessionStorage.getItem('complaints') ?? '[]');
  const keep = () => sessionStorage.setItem('complaints', JSON.stringify(complaints));
  const complain = (text) => {
    complaints.push(text);
    keep();
  };
  keep();
  // How many frames were drawn, and when the first one began after the page had got boids, ms.
  window.drawn = 0;
  const draw = () => {
    window.drawn += 1;
    if (window.flockAt === undefined && (window.flock?.state?.().boids ?? 0) > 0) window.flockAt = performance.now();
    requestAnimationFrame(draw);
  };
  draw();
  for (const level of ['error', 'warn']) {
    const log = console[level];
    console[level] = (...words) => {
      complain(`console.${level}: ${words.join(' ')}`);
      log.apply(console, words);
    };
  }
  // Of a file that could not be loaded there is only an event, at its element.
  addEventListener('error', ({ target, message, error }) => complain(`error: ${error?.stack ?? message ?? target.outerHTML}`), true);
  addEventListener('unhandledrejection', ({ reason }) => complain(`rejected: ${reason?.stack ?? reason}`));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => complain(`refused by the policy: ${violatedDirective} ${blockedURI}`));
})();
