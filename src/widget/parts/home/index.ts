// The home screen and earlier conversations. Loaded if the site has enabled either.
export { default as css } from './home.css?inline';
export { HomeButton } from './home-button.tsx';
export { HomeScreen } from './home-screen.tsx';
export { keepPast } from './keep-past.ts';
