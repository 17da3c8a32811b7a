import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The user of the images. */
const USER = 65_532;
/** Builds without overlay layers and user namespaces, which unprivileged containers do not have. */
const STORAGE = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };

const buildah = (...args: readonly string[]): string =>
  execFileSync('buildah', args, {
    encoding: 'utf8',
    env: { ...process.env, ...STORAGE },
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

/** Commits a folder as an image. */
function commit(image: string, folder: string, settings: readonly string[]): void {
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, folder, '/');
  buildah('config', ...settings, container);
  buildah('commit', '--quiet', container, image);
  buildah('rm', container);
}

/**
 * Makes images with the layout of the two base images, for machines that no registry can be reached from: Debian with
 * Node and npm for the stage that builds, and Node with its libraries alone for the images. `folder` is for their files.
 */
export function makeStandIns(folder: string): void {
  const npm = dirname(
    createRequire(join(dirname(process.execPath), 'npm')).resolve('npm/package.json', {
      paths: ['/usr/lib', '/usr/local/lib', ROOT],
    }),
  );
  const debian = join(folder, 'debian');
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', debian], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  cpSync(process.execPath, join(debian, 'usr/local/bin/node'), { dereference: true });
  cpSync(npm, join(debian, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(debian, 'usr/local/bin/npm'));
  const distroless = join(folder, 'distroless');
  for (const path of ['nodejs/bin', 'tmp', 'proc', 'etc'])
    mkdirSync(join(distroless, path), { recursive: true });
  cpSync(process.execPath, join(distroless, 'nodejs/bin/node'), { dereference: true });
  const needed = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  for (const [library] of needed.matchAll(/\/lib\S+/g))
    cpSync(library, join(distroless, library), { dereference: true, recursive: true });
  chmodSync(join(distroless, 'tmp'), 0o1777);
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  if (certificates !== undefined)
    cpSync(certificates, join(debian, 'etc/extra-ca.pem'), { dereference: true });
  const trust = certificates === undefined ? [] : ['--env', 'NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem'];
  commit('localhost/stand-in-build', debian, ['--env', 'PATH=/usr/local/bin:/usr/bin:/bin', ...trust]);
  commit('localhost/stand-in-run', distroless, ['--env', 'PATH=/nodejs/bin']);
}

/** Builds the image of a server from a fresh clone of the repository's last commit. */
export function buildImage(target: string, folder: string, hasStandIns: boolean): void {
  const clone = join(folder, 'clone');
  rmSync(clone, { recursive: true, force: true });
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, clone]);
  const lines = readFileSync(join(clone, 'deploy/Dockerfile'), 'utf8');
  const file = join(folder, 'Dockerfile');
  writeFileSync(
    file,
    hasStandIns
      ? lines
          .replace(/^FROM node:\S+/m, 'FROM localhost/stand-in-build')
          .replace(/^FROM gcr\.io\S+/m, 'FROM localhost/stand-in-run')
      : lines,
  );
  buildah(
    'build',
    '--network',
    'host',
    '--layers',
    '--target',
    target,
    '--tag',
    `localhost/natter-${target}`,
    '--file',
    file,
    clone,
  );
}

interface ImageConfig {
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[] | null;
  readonly WorkingDir: string;
}

/** A container without an engine: the image's files, read-only, as its root; its user, environment and command. */
export class Container {
  readonly #config: ImageConfig;
  readonly #name: string;
  readonly #root: string;
  #child: ChildProcess | null = null;
  output = '';

  constructor(image: string) {
    this.#name = buildah('from', `localhost/natter-${image}`);
    this.#root = buildah('mount', this.#name);
    const inspected = buildah('inspect', '--type', 'image', `localhost/natter-${image}`);
    this.#config = JSON.parse(inspected).OCIv1.config;
  }

  /** Starts the image's command with more variables, and folders mounted by their place in the container. */
  start(
    env: Readonly<Record<string, string>>,
    mounts: Readonly<Record<string, string>>,
    args?: readonly string[],
  ): ChildProcess {
    const binds = Object.entries(mounts).map(([inside, outside]) => {
      mkdirSync(join(this.#root, inside), { recursive: true });
      return `mount --bind '${outside}' '${join(this.#root, inside)}'`;
    });
    const command = [...this.#config.Entrypoint, ...(args ?? this.#config.Cmd ?? [])].map((word, position) =>
      position === 1 ? join(this.#config.WorkingDir, word) : word,
    );
    const script = [
      'set -e',
      `mount --bind '${this.#root}' '${this.#root}'`,
      `mount -o remount,bind,ro '${this.#root}'`,
      `mount -t tmpfs -o mode=1777 tmpfs '${this.#root}/tmp'`,
      ...binds,
      `exec chroot --userspec=${USER}:${USER} '${this.#root}' "$@"`,
    ].join('\n');
    const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command], {
      env: {
        ...Object.fromEntries(this.#config.Env.map((line) => line.split(/=(.*)/s, 2))),
        // The image's has no shell and no `mount`. Its command is an absolute path.
        PATH: process.env['PATH'],
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        this.output += data;
      });
    return child;
  }

  /** Runs one command of the image, and returns its output. Throws when it fails. */
  async run(
    env: Readonly<Record<string, string>>,
    mounts: Readonly<Record<string, string>>,
    args: readonly string[],
  ): Promise<string> {
    const before = this.output.length;
    const [code] = await once(this.start(env, mounts, args), 'close');
    const printed = this.output.slice(before);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${printed}`);
    return printed;
  }

  /** Stops the server as an engine does, and resolves when it has ended. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  remove(): void {
    buildah('umount', this.#name);
    buildah('rm', this.#name);
  }
}

/** Gives the files of a folder to the user of the images, as an engine does with a new volume. */
export function giveToImageUser(folder: string): void {
  chownSync(folder, USER, USER);
  for (const name of readdirSync(folder)) chownSync(join(folder, name), USER, USER);
}
