// Runs in the page's own world under `throwOnSideEffect`: it looks at descriptors and calls nothing of the page's.
(() => {
  const native = (owner, property) => {
    const found = owner && Object.getOwnPropertyDescriptor(owner, property);
    return Boolean(found && found.get && /^function get \w+\(\) \{ \[native code\] \}$/.test(Function.prototype.toString.call(found.get)));
  };
  const own = (object) => Object.getOwnPropertyDescriptor(object, "modelContext") !== undefined;
  const onDocument = own(document) || (own(Document.prototype) && !native(Document.prototype, "modelContext"));
  const onNavigator = own(navigator) || (own(Navigator.prototype) && !native(Navigator.prototype, "modelContext"));
  // Builds up to 151 have the native object on Navigator.
  const hasNative = native(Document.prototype, "modelContext") || native(Navigator.prototype, "modelContext");
  if (onDocument) return native(Document.prototype, "modelContext") ? "replaces_native" : "on_document";
  if (onNavigator) return hasNative ? "beside_native" : "on_navigator";
  return null;
})()
