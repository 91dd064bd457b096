// The legacy pass only, before any script of the page: names of the API that are gone, over the native object.
// It changes the page, so what it brings is a separate observation and never the page's own record.
(() => {
  const native = document.modelContext;
  if (!native || navigator.modelContext) return;
  const registered = new Map();
  const register = ModelContext.prototype.registerTool;

  const add = function (tool, options) {
    const controller = new AbortController();
    options?.signal?.addEventListener("abort", () => controller.abort(options.signal.reason));
    const done = register.call(native, tool, { ...options, signal: controller.signal });
    registered.set(String(tool?.name), controller);
    done.catch(() => {});
    return done;
  };
  const remove = (name) => {
    registered.get(String(name))?.abort();
    registered.delete(String(name));
  };
  const clear = () => [...registered.keys()].forEach(remove);
  const addAll = (tools) => Array.from(tools ?? [], (tool) => add(tool));
  const old = {
    registerTool: add,
    unregisterTool: (tool) => remove(typeof tool === "object" ? tool?.name : tool),
    registerTools: addAll,
    clearContext: clear,
    provideContext: (context) => { clear(); addAll(context?.tools); },
  };
  for (const [name, value] of Object.entries(old)) {
    Object.defineProperty(ModelContext.prototype, name, { value, configurable: true, writable: true, enumerable: true });
  }
  const alias = { get: () => native, configurable: true, enumerable: true };
  Object.defineProperty(Navigator.prototype, "modelContext", alias);
  Object.defineProperty(Navigator.prototype, "modelContextTesting", alias);
  if (!("agent" in window)) Object.defineProperty(window, "agent", { ...alias, set(value) {
    Object.defineProperty(window, "agent", { value, writable: true, configurable: true, enumerable: true });
  } });
})();
