import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run web:dev` passes on what is not of the UI: a service that runs beside it. */
const SERVICE = 'http://127.0.0.1:8080';
const SERVICE_PATHS = ['/v1', '/img', '/file', '/clip-file', '/docs', '/healthz'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Also in a meta element, from which React Aria takes it; the service puts a number of each answer in its place.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    // Every file is loaded as it is: a data: URL is refused by the page's own policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
  },
  server: { proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, { target: SERVICE, changeOrigin: true }])) },
});
