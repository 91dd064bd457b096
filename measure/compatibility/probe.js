// What a probe's script gets as `probe`. One text for every engine and for the frames that answer (`/probe.js`).
// `origins` is filled in by whoever serves or runs it; `patience` makes its waits that many times as long.
(origins, folder, patience) => {
  class NotApplicable extends Error {}

  const probe = {
    // Ends the question: it has no meaning in this build.
    notApplicable(reason) {
      throw new NotApplicable(reason);
    },

    // The document's model context, wherever this build has it. Ends the question where there is none.
    context() {
      const found = document.modelContext ?? navigator.modelContext;
      if (!found) probe.notApplicable('no modelContext in the page');
      return found;
    },

    // A method of the model context, bound. Ends the question where this build has none of that name.
    method(name) {
      const context = probe.context();
      if (typeof context[name] !== 'function') probe.notApplicable(`no modelContext.${name}()`);
      return context[name].bind(context);
    },

    // A tool that works; `parts` are put over it. A part that is undefined is left in as undefined.
    tool(parts = {}) {
      return { name: 'tool', description: 'Does something.', execute: () => 'done', ...parts };
    },

    // Registers a tool that works with `parts` put over it, and waits for the promise where there is one.
    async register(parts = {}, options = undefined) {
      const register = probe.method('registerTool');
      return options === undefined ? await register(probe.tool(parts)) : await register(probe.tool(parts), options);
    },

    // Registers as register() does, for a question that is about something else: ends it where that is refused.
    async needs(parts = {}, options = undefined) {
      const said = await probe.outcome(() => probe.register(parts, options));
      if (said !== 'ok') probe.notApplicable(`a tool may not be registered here: ${said}`);
    },

    // 'ok', or the name of the error that `work` threw or its promise was rejected with.
    async outcome(work) {
      try {
        await work();
        return 'ok';
      } catch (error) {
        if (error instanceof NotApplicable) throw error;
        return error?.name ?? String(error);
      }
    },

    // What the page is told of its tools. Ends the question where this build has no getTools().
    // Builds before it have listTools() on `navigator.modelContextTesting`, with their testing switch.
    async tools(options = undefined) {
      const testing = navigator.modelContextTesting;
      if (typeof probe.context().getTools !== 'function' && typeof testing?.listTools === 'function') {
        return await testing.listTools();
      }
      const list = probe.method('getTools');
      return options === undefined ? await list() : await list(options);
    },

    // Their names, in the order given, joined by commas; '(none)' for an empty list.
    async names(options = undefined) {
      return Array.from(await probe.tools(options), (tool) => tool.name).join(',') || '(none)';
    },

    // Ends the question where a page of this build has no way to call a tool.
    needsCalls() {
      const context = probe.context();
      const testing = navigator.modelContextTesting;
      if (![context, testing].some((place) => typeof place?.executeTool === 'function')) {
        probe.notApplicable('a page has no way to call a tool');
      }
    },

    // Calls a tool of the page by its name, with an object (or its JSON, where the build asks for text).
    // Builds before `modelContext.executeTool()` have one on `navigator.modelContextTesting`, with their testing switch.
    async call(name, input = {}, options = {}) {
      probe.needsCalls();
      if (typeof probe.context().executeTool !== 'function') {
        return await navigator.modelContextTesting.executeTool(name, JSON.stringify(input), options);
      }
      const execute = probe.method('executeTool');
      const found = Array.from(await probe.tools()).find((tool) => tool.name === name);
      if (!found) throw new Error(`no tool ${name} in the list`);
      return await execute(found, probe.wantsText() ? JSON.stringify(input) : input, options);
    },

    // Whether executeTool() of this build takes its input as JSON text: it has two required parameters then.
    wantsText() {
      return probe.context().executeTool?.length === 2;
    },

    // What a promise comes to, or 'pending' when it has not within `ms`.
    within(promise, ms = 2000) {
      return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms * patience, 'pending'))]);
    },

    // The next event of this type, or null when none comes within `ms`.
    event(target, type, ms = 2000) {
      return new Promise((resolve) => {
        target.addEventListener(type, resolve, { once: true });
        setTimeout(resolve, ms * patience, null);
      });
    },

    // Waits until `condition()` is truthy and returns it; null when it is not within `ms`.
    async until(condition, ms = 5000) {
      for (const end = performance.now() + ms * patience; ; ) {
        const met = await condition();
        if (met || performance.now() > end) return met || null;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },

    // The address of a page of this behaviour on an origin ('https', 'other_site', …).
    url(path = '', origin = 'https') {
      return `${origins[origin]}${folder}${path}`;
    },

    origin(name) {
      return origins[name];
    },

    // An iframe that has loaded: `path` of this behaviour on `origin`, or the built-in answering page without a path;
    // or `srcdoc`. `attributes` are set before it is put into the document.
    async frame({ path, origin = 'https', srcdoc, attributes = {} } = {}) {
      const element = document.createElement('iframe');
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      if (srcdoc !== undefined) element.srcdoc = srcdoc;
      else element.src = path === undefined ? `${origins[origin]}/answering` : probe.url(path, origin);
      const loaded = new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
      document.body.append(element);
      await loaded;
      return element;
    },

    // Runs the body of an async function in an answering frame or window, with `probe`; what it returns.
    // Rejects with what it threw ({name, message}), or with 'NoAnswer' after `ms`.
    ask(frame, body, ms = 10000) {
      const target = frame.contentWindow ?? frame;
      return new Promise((resolve, reject) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = ({ data }) => {
          if ('value' in data) resolve(data.value);
          else if ('notApplicable' in data) reject(new NotApplicable(data.notApplicable));
          else reject(Object.assign(new Error(data.message), { name: data.threw }));
        };
        setTimeout(() => reject(Object.assign(new Error('no answer'), { name: 'NoAnswer' })), ms * patience);
        target.postMessage({ probe: body, folder, patience }, '*', [channel.port2]);
      });
    },

    // Runs a question and says how it ended, as plain data. For the runner and the answering pages.
    async run(question) {
      try {
        return { value: String(await question(probe)) };
      } catch (error) {
        if (error instanceof NotApplicable) return { notApplicable: error.message };
        return { threw: String(error?.name ?? error), message: String(error?.message ?? '') };
      }
    },
  };
  return probe;
};
