// The home screen and earlier conversations: fetched where the site has turned either on.
export { default as css } from './home.css?inline';
export { HomeButton } from './home-button.tsx';
export { HomeScreen } from './home-screen.tsx';
export { keepPast } from './keep-past.ts';
