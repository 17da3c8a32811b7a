import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import '../../../console/ui/ui.css';
import { startTheme, Toasts } from '../../../console/ui/index.ts';
import { TestBench } from './test-bench.tsx';

// The test bench, at `/bench` of the demo site.
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
