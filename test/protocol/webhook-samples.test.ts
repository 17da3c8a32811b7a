import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isGenuine } from '../../docs/protocol/webhooks/verify.ts';
import { loadVectors } from '../load-vectors.ts';
import { readPage } from './read-examples.ts';

interface Delivery {
  readonly name: string;
  readonly now: number;
  readonly secret: string;
  /** `null` for a missing header. */
  readonly timestamp: string | null;
  readonly signature: string | null;
  readonly body: string;
  readonly expect: boolean;
}

const SAMPLES = fileURLToPath(new URL('../../docs/protocol/webhooks/', import.meta.url));
const deliveries = loadVectors<{ readonly verify: readonly Delivery[] }>('webhook-signature').verify;
const folder = mkdtempSync(join(tmpdir(), 'natter-webhook-samples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Each program reads the deliveries as JSON from standard input and prints a list of booleans.
const PYTHON = `
import json, sys
sys.path.insert(0, sys.argv[1])
from verify import is_genuine
print(json.dumps([is_genuine(d["secret"], d["timestamp"], d["signature"], d["body"].encode(), d["now"])
  for d in json.load(sys.stdin)]))
`;
const PHP = `
require $argv[1] . 'verify.php';
$judge = fn ($d) => is_genuine($d['secret'], $d['timestamp'], $d['signature'], $d['body'], $d['now']);
echo json_encode(array_map($judge, json_decode(file_get_contents('php://stdin'), true)));
`;
const GO = `
package main

import (
	"encoding/json"
	"os"
	"sample/webhooks"
)

func main() {
	var deliveries []struct {
		Now                                  int64
		Secret, Timestamp, Signature, Body string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, d := range deliveries {
		results = append(results, webhooks.IsGenuine(d.Secret, d.Timestamp, d.Signature, []byte(d.Body), d.Now))
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}
`;

/** Writes the Go sample as a module with a program. */
function writeGoModule(): string {
  const module = join(folder, 'go');
  mkdirSync(join(module, 'webhooks'), { recursive: true });
  cpSync(join(SAMPLES, 'verify.go'), join(module, 'webhooks', 'verify.go'));
  writeFileSync(join(module, 'go.mod'), 'module sample\n\ngo 1.18\n');
  writeFileSync(join(module, 'main.go'), GO);
  return module;
}

const isThere = (command: string, argument: string): boolean => spawnSync(command, [argument]).status === 0;

/** Runs a sample on all deliveries. */
function judge(command: string, args: readonly string[], cwd: string = folder): unknown {
  const env = {
    ...process.env,
    GOFLAGS: '-mod=mod',
    GOCACHE: join(folder, 'go-cache'),
    GOTOOLCHAIN: 'local',
  };
  const input = JSON.stringify(deliveries);
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, input, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

const expected = deliveries.map((delivery) => delivery.expect);

describe('the samples of docs/protocol/webhooks.md', () => {
  it('the samples of docs/protocol/webhooks.md equal the sample files', () => {
    const blocks = [...readPage('webhooks.md').matchAll(/```(?:ts|python|go|php)\n([\s\S]*?)```/g)];
    const files = ['verify.ts', 'verify.py', 'verify.go', 'verify.php'];
    const contents = files.map((file) => readFileSync(join(SAMPLES, file), 'utf8'));
    expect(blocks.map(([, block]) => block)).toEqual(contents);
  });

  it('the TypeScript sample recognises genuine deliveries (WD-4, WD-5)', () => {
    const judged = deliveries.map(({ secret, timestamp, signature, body, now }) =>
      isGenuine(secret, timestamp ?? undefined, signature ?? undefined, Buffer.from(body), now),
    );
    expect(judged).toEqual(expected);
    expect(expected).toContain(true);
  });

  it.skipIf(!isThere('python3', '--version'))(
    'the Python sample recognises genuine deliveries (WD-4, WD-5)',
    () => {
      expect(judge('python3', ['-B', '-c', PYTHON, SAMPLES])).toEqual(expected);
    },
  );

  it.skipIf(!isThere('go', 'version'))(
    'the Go sample recognises genuine deliveries, if Go is installed (WD-4, WD-5)',
    () => {
      expect(judge('go', ['run', '.'], writeGoModule())).toEqual(expected);
    },
  );

  it.skipIf(!isThere('php', '--version'))(
    'the PHP sample recognises genuine deliveries, if PHP is installed (WD-4, WD-5)',
    () => {
      expect(judge('php', ['-r', PHP, '--', SAMPLES])).toEqual(expected);
    },
  );
});
