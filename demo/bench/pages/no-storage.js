// What a browser does that blocks data of third parties.
for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
  Object.defineProperty(window, name, {
    get() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  });
}
Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
