import { render } from 'preact';
import '../../src/widget/styles/tokens.css';
import './console.css';
import { App } from './app.tsx';
import { start } from './desk-model.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): void => {
  document.body.dataset['theme'] = dark.matches ? 'dark' : 'light';
};
dark.addEventListener('change', follow);
follow();

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
void start();
