// A separate module, so that a bundler takes this one function of the library into a late part.
export { sha256 } from '@noble/hashes/sha2.js';
