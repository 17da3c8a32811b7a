// Consent and legal texts. Loaded with the panel, for sites that have any.
export { createTerms } from './create-terms.ts';
