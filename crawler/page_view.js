// Runs in an isolated world: what the page did to its own objects does not reach these.
// `limits.children` counts each frame's children as the browser knows them, by path; `owners` are the elements that
// hold this document's own child frames, in the browser's order.
async (limits, ...owners) => {
  const paths = new Map();
  owners.forEach((owner, i) => owner?.contentWindow && paths.set(owner.contentWindow, `${limits.path}.${i}`));
  paths.set(window, limits.path);
  // `frames[i]` leaves out frames in shadow trees: a frame's windows are numbered by it only where none is missing.
  function* windows(frame, path) {
    yield [frame, path];
    if (frame.length !== (limits.children[path] ?? 0)) return;
    for (let i = 0; i < frame.length; i++) yield* windows(frame[i], `${path}.${i}`);
  }
  function* everyWindow() {
    yield* windows(top, "top");
    for (const [i, owner] of owners.entries())
      if (owner?.contentWindow) yield* windows(owner.contentWindow, `${limits.path}.${i}`);
  }
  // Walked no further than needed: in a page of a thousand frames each walk of all of them takes 17 ms (measured).
  const rest = everyWindow();
  const pathOf = (wanted) => {
    for (let next; !paths.has(wanted) && !(next = rest.next()).done;)
      if (!paths.has(next.value[0])) paths.set(...next.value);
    return paths.get(wanted) ?? null;
  };

  const text = (value, limit) => {
    const whole = String(value ?? "").toWellFormed();
    return [whole.slice(0, limit), whole.length > limit];
  };
  const schemaOf = (item) => {
    if (item.inputSchema === undefined) return [null, false];
    try {
      // 147-150 give the schema as a JSON string, later builds as an object.
      const json = typeof item.inputSchema === "string" ? item.inputSchema : JSON.stringify(item.inputSchema);
      return json.length > limits.schema ? [null, true] : [json.toWellFormed(), false];
    } catch {
      return [null, true]; // nested deeper than JSON.stringify goes
    }
  };
  let room = limits.kept;
  const tool = (item) => {
    const [name, nameCut] = text(item.name, limits.name);
    let [title, titleCut] = text(item.title, limits.text);
    let [description, descriptionCut] = text(item.description, limits.text);
    let [schema, schemaCut] = schemaOf(item);
    const size = title.length + description.length + (schema?.length ?? 0);
    if (size > room) [title, description, schema, schemaCut] = ["", "", null, true];
    else room -= size;
    const annotations = item.annotations && Object.fromEntries(
      Object.entries(item.annotations).map(([hint, value]) => [hint, Boolean(value)]));
    return {
      frame: pathOf(item.window), name, title, description, schema,
      annotations: annotations ?? null, origin: String(item.origin ?? ""),
      cut: nameCut || titleCut || descriptionCut || schemaCut,
    };
  };

  const policy = document.featurePolicy;
  const known = policy && policy.features && policy.features().includes("tools");
  const view = {
    owners: owners.map((owner) => owner && {
      allow: owner.getAttribute("allow"), sandbox: owner.getAttribute("sandbox"),
    }),
    url: text(location.href, limits.text)[0],
    origin: self.origin,
    secure: isSecureContext,
    policy: known ? (policy.allowsFeature("tools") ? "allowed" : "blocked") : null,
    // Read on the frame's own document only: reading it on another one crashes the renderer (measured).
    api: Boolean(document.modelContext ?? navigator.modelContext),
    error: null, tools: [], onRequest: [],
    login: [...document.querySelectorAll("input[type=password]")].some((field) => field.checkVisibility()),
    title: text(document.title, 300)[0],
    status: performance.getEntriesByType("navigation")[0]?.responseStatus || null,
    type: document.contentType,
  };
  if (!view.api) return view;
  const context = document.modelContext ?? navigator.modelContext;
  try {
    const own = await context.getTools();
    view.tools = own.slice(0, limits.tools).map(tool);
    // One at a time: an origin that is refused must not take the others' answers with it.
    for (const origin of limits.origins) {
      const all = await context.getTools({ fromOrigins: [origin] }).catch(() => []);
      view.onRequest.push(...all.slice(0, limits.tools)
        .filter((item) => !own.some((other) => other.name === item.name && other.window === item.window))
        .map(tool));
    }
  } catch (error) {
    view.error = String(error?.name ?? "Error");
  }
  return view;
}
