import { createApp } from 'vue';
import { App } from './app.ts';
import OwnView from './own-view.vue';

/** Address of the token proxy; a real app has it in its configuration. */
const parameters = new URLSearchParams(location.search);
const endpoint = parameters.get('endpoint') ?? 'http://127.0.0.1:8787';
const View = parameters.get('view') === 'own' ? OwnView : App;

createApp(View, { endpoint }).mount('#app');
