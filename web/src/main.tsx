import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { router } from './app/router.tsx';
import { startShortcuts } from './app/shortcut-registry.ts';
import { startTheme } from './app/theme.ts';
import { startReturnFocus } from './ui/return-focus.tsx';
import './ui/base.css';
import './ui/tokens.css';

startTheme();
startShortcuts();
startReturnFocus();

const place = document.getElementById('root');
if (!place) throw new Error('expected the element #root in index.html, received none');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
