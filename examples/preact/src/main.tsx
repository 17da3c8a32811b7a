/** @jsxImportSource preact */
import { render } from 'preact';
import { OwnView } from './own-view.tsx';

/** Address of the token proxy; a real app has it in its configuration. */
const endpoint = new URLSearchParams(location.search).get('endpoint') ?? 'http://127.0.0.1:8787';

const element = document.querySelector('#app');
if (element) render(<OwnView endpoint={endpoint} />, element);
