import { render } from 'preact';
import '../../../console/ui/ui.css';
import { startTheme } from '../../../console/ui/index.ts';
import { TestBench } from './test-bench.tsx';

// The test bench, at `/bench` of the demo site.
startTheme();
const root = document.getElementById('bench');
if (root !== null) render(<TestBench />, root);
