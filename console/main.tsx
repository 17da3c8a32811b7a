import { render } from 'preact';
import '../src/widget/styles/tokens.css';
import './ui/base.css';
import './ui/parts.css';
import { App } from './app.tsx';
import { startSession } from './session.ts';
import { startTheme } from './theme.ts';
import { preloadView } from './views.ts';

startTheme();
const root = document.getElementById('console');
if (root !== null) render(<App />, root);
void startSession();
preloadView(location.pathname);
