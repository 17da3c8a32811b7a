import { render } from 'preact';
import './ui/ui.css';
import { App } from './app.tsx';
import { startSession } from './session.ts';
import { startTheme } from './ui/index.ts';
import { preloadView } from './views.ts';

startTheme();
const root = document.getElementById('console');
if (root !== null) render(<App />, root);
void startSession();
preloadView(location.pathname);
