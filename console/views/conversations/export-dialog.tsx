import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fetchPlatform } from '../../call-platform.ts';
import { Button, Dialog, Progress, showToast } from '../../ui/index.ts';

/** Fetches the filtered list as a file, says how much has come, and saves it. */
export function ExportDialog({ query, onClose }: { query: string; onClose: () => void }): VNode {
  const [bytes, setBytes] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (format: 'csv' | 'jsonl'): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setBytes(0);
    setProblem(null);
    try {
      const path = `/console/api/conversation-export/${format}?${query}`;
      const response = await fetchPlatform('GET', path, { signal: controller.signal });
      save(await readAll(response, setBytes), `conversations.${format}`);
      showToast('The conversations are exported.');
      onClose();
    } catch (error) {
      if (controller.signal.aborted) return;
      setBytes(null);
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Dialog title="Export conversations" onClose={onClose}>
      <p>
        Exports the conversations that match the filters, up to 100,000. JSON lines contain everything, CSV
        the columns of the list.
      </p>
      {bytes !== null && <Progress label={`${(bytes / 1_000_000).toFixed(1)} MB so far`} />}
      {problem !== null && <p role="alert">{problem}</p>}
      <div class="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button isBusy={bytes !== null} onClick={() => void start('jsonl')}>
          JSON lines
        </Button>
        <Button kind="main" isBusy={bytes !== null} onClick={() => void start('csv')}>
          CSV
        </Button>
      </div>
    </Dialog>
  );
}

async function readAll(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) break;
    pieces.push(next.value);
    bytes += next.value.byteLength;
    onBytes(bytes);
  }
  return new Blob(pieces, { type: response.headers.get('content-type') ?? '' });
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
