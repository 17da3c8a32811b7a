import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import type { UserConfig } from 'vite';

const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [vue()],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
};

export default config;
