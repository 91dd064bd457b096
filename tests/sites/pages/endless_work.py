"""Pages that work for ever: they print, draw, compute, or leave for themselves and hold on."""

from tests.sites.gold import UNCHECKED, scripts
from tests.sites.pages.bounds import at_least, hung, restless
from tests.sites.pages.endless import ALIVE, HANGS, MOVES, script_page

DRAWS = """
  const shader = (gl, type, source) => {
    const made = gl.createShader(type);
    gl.shaderSource(made, source);
    gl.compileShader(made);
    return made;
  };
  (function draw() {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 256;
    const gl = canvas.getContext("webgl");
    if (gl) {
      const program = gl.createProgram();
      gl.attachShader(program, shader(gl, gl.VERTEX_SHADER,
        "attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"));
      gl.attachShader(program, shader(gl, gl.FRAGMENT_SHADER, `precision mediump float; void main() {
        float x = gl_FragCoord.x; for (int i = 0; i < 50; i++) x = sin(x) + cos(x); gl_FragColor = vec4(x); }`));
      gl.linkProgram(program);
      gl.useProgram(program);
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    requestAnimationFrame(draw);
  })();"""

WEBASSEMBLY_LOOP = """
  // (module (func (export "f") (loop br 0)))
  const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0,
    10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  addEventListener("load", () => setTimeout(exports.f, 500));"""

GREEDY = (
    script_page(
        "draws-for-ever",
        "WebGL: a new context and a shader with a loop in each animation frame, for ever",
        DRAWS,
        ALIVE,
        "spec: what a page draws concerns no tool",
    ),
)
"""What takes the whole machine from the pages beside it."""

PAGES = (
    script_page(
        "prints-for-ever",
        "print() every 50 ms, for ever",
        "setInterval(print, 50);",
        ALIVE,
        "HTML: printing needs somebody who prints",
    ),
    script_page(
        "prints-in-a-loop",
        "print() in a loop that never ends, from half a second after load",
        'addEventListener("load", () => setTimeout(() => { for (;;) print(); }, 500));',
        hung("came_first"),
        HANGS,
    ),
    script_page(
        "leaves-and-holds-on",
        "Leaves for itself 0.9 s after each load, and asks each time whether to stay, for ever",
        'addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "Stay?"; });\n'
        'addEventListener("load", () => setTimeout(() => { location.href = `/?${Math.random()}`; }, 900));',
        restless(
            *scripts("came_first"),
            settled="deadline",
            load_event=UNCHECKED,
            navigated_during_read=at_least(5),
            http_status=UNCHECKED,
        ),
        "HTML: beforeunload asks only where somebody has touched the page; " + MOVES,
    ),
    script_page(
        "holds-on-by-leaving",
        "Reloads 0.9 s after each load, and wants to go somewhere else in each beforeunload handler, for ever",
        'addEventListener("beforeunload", () => { location.href = `/?${Math.random()}`; });\n'
        'addEventListener("load", () => setTimeout(() => location.reload(), 900));',
        restless(
            *scripts("came_first"),
            settled="deadline",
            load_event=UNCHECKED,
            navigated_during_read=at_least(5),
            http_status=UNCHECKED,
        ),
        "HTML: a page that unloads may not navigate; " + MOVES,
    ),
    script_page(
        "computes-in-webassembly",
        "A WebAssembly loop that never ends, from half a second after load",
        WEBASSEMBLY_LOOP,
        hung("came_first"),
        HANGS,
    ),
)
