import { createApp } from 'vue';
import { App } from './app.ts';

/** Where the token proxy is; a real app has this in its configuration. */
const endpoint = new URLSearchParams(location.search).get('endpoint') ?? 'http://127.0.0.1:8787';

createApp(App, { endpoint }).mount('#app');
