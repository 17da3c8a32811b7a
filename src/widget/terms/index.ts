// What a site says before a conversation and beside it: fetched with the panel, and only where there is any of it.
export { createTerms } from './create-terms.ts';
