// A separate module, so that a bundler puts only this function of the library into a late chunk.
export { sha256 } from '@noble/hashes/sha2.js';
