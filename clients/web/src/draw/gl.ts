// Programs, textures and snapshots on the GPU, for the parts of the WebGL renderer.

type Uniforms = Record<string, WebGLUniformLocation | null>;

export interface Program {
  program: WebGLProgram;
  at: Uniforms;
}

export interface Upload {
  serial: number;
  used: number; // the number of its last draw
  positions: WebGLBuffer;
  headings: WebGLBuffer;
  crowd: WebGLBuffer;
  crowded: boolean; // the buffer `crowd` has the frame's values
  capacity: number; // boids
}

/** Returns a texture for colours. smaller: the filter for a picture that is smaller than the texture. */
export function createTexture(gl: WebGL2RenderingContext, smaller: number = gl.LINEAR): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smaller);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  return texture;
}

/** Throws if the browser does not build the shaders. */
export function link(gl: WebGL2RenderingContext, vertex: string, fragment: string): Program {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type) as WebGLShader;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
      throw new Error(`shader: ${gl.getShaderInfoLog(shader) ?? 'unknown error'}`);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`shaders: ${gl.getProgramInfoLog(program) ?? 'unknown error'}`);
  const at: Uniforms = {};
  const count = Number(gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0);
  for (let i = 0; i < count; i++) {
    const name = gl.getActiveUniform(program, i)?.name.replace('[0]', '') ?? '';
    at[name] = gl.getUniformLocation(program, name);
  }
  return { program, at };
}
