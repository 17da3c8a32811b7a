import { writeFileSync } from 'node:fs';
import { writeManifest } from './custom-elements.ts';

writeFileSync(new URL('../../custom-elements.json', import.meta.url), writeManifest());
