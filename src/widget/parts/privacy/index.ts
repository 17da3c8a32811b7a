// The stored data about the visitor. Loaded with the menu, if the site offers it.
export { default as css } from './privacy.css?inline';
export { PrivacyScreen } from './privacy-screen.tsx';
export { PRIVACY_TEXTS } from './privacy-texts.ts';
