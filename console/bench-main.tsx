import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import './ui/ui.css';
import { startTheme, Toasts } from './ui/index.ts';
import { TestBench } from './views/test-bench/test-bench.tsx';

// The test bench of the demo, at `/bench` of its site: the same view as in the console, without a sign-in.
startTheme();
const root = document.getElementById('console');
if (root !== null)
  render(
    <LocationProvider>
      <main class="bench-alone">
        <TestBench demo={location.pathname === '/bench' ? location.origin : null} />
      </main>
      <Toasts />
    </LocationProvider>,
    root,
  );
