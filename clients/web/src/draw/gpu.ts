const UNMASKED_RENDERER_WEBGL = 0x9246;

/** Whether WebGL2 has a GPU. Without a GPU, Canvas2D is several times faster. */
export function hasGpu(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (gl === null) return false;
  let name = String(gl.getParameter(gl.RENDERER));
  // Chromium and Safari return the device's name only here. Firefox returned it above, and logs a warning here.
  if (name.startsWith('WebKit') && gl.getExtension('WEBGL_debug_renderer_info') !== null)
    name = String(gl.getParameter(UNMASKED_RENDERER_WEBGL));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
