/** Lists the visible windows of Sway in physical pixels, through Sway's own socket (the protocol of i3). */
import { connect, type Socket } from 'node:net';
import { err, failure, ok, type Result } from '../../../api/errors.ts';
import { onAbort } from '../../../base/common/on-abort.ts';
import type { Area, Display, OpenWindow } from '../../../ipc/protocol/capture.ts';
import type { Output } from '../../wayland/compositor.ts';
import { overlapOf } from '../areas.ts';

const MAGIC = Buffer.from('i3-ipc');
const HEADER_BYTES = MAGIC.length + 8;
const GET_TREE = 4;
const TIMEOUT_MS = 5_000;

/** A container of Sway's tree; a window has a process. */
export interface SwayNode {
  readonly name: string | null;
  readonly rect: Area;
  readonly focused: boolean;
  readonly visible?: boolean;
  readonly pid?: number;
  /** The identifiers of its children, the last focused one first. */
  readonly focus: readonly number[];
  readonly id: number;
  readonly nodes: readonly SwayNode[];
  readonly floating_nodes: readonly SwayNode[];
}

/** Errors: CAPTURE_UNAVAILABLE. Rejects with the signal's reason. */
export const readSwayTree = async (path: string, signal: AbortSignal): Promise<Result<SwayNode>> => {
  const socket = connect(path);
  const either = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const unfollow = onAbort(either, () => socket.destroy());
  try {
    const request = Buffer.alloc(HEADER_BYTES);
    MAGIC.copy(request);
    request.writeUInt32LE(GET_TREE, MAGIC.length + 4);
    socket.write(request);
    return ok(JSON.parse((await readReply(socket)).toString()) as SwayNode);
  } catch (error) {
    signal.throwIfAborted();
    return err(failure('CAPTURE_UNAVAILABLE', `Sway does not list its windows (${(error as Error).message}).`));
  } finally {
    unfollow();
    socket.destroy();
  }
};

const readReply = async (socket: Socket): Promise<Buffer> => {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer]);
    if (received.length < HEADER_BYTES) continue;
    const length = received.readUInt32LE(MAGIC.length);
    if (received.length >= HEADER_BYTES + length) return received.subarray(HEADER_BYTES, HEADER_BYTES + length);
  }
  throw new Error('it closed the connection');
};

/** The visible windows in physical pixels, the frontmost first. */
export const windowsOf = (
  tree: SwayNode,
  outputs: readonly Output[],
  displays: readonly Display[],
): readonly OpenWindow[] =>
  frontToBack(tree).flatMap(({ name, rect, focused }) => {
    const area = physicalArea(rect, outputs, displays);
    return area ? [{ ...area, title: name ?? '', hasKeyboard: focused }] : [];
  });

/** Floating windows lie above tiled ones; of each kind the last focused is first. */
const frontToBack = (node: SwayNode): readonly SwayNode[] => {
  if (node.pid !== undefined) return node.visible ? [node] : [];
  const rank = ({ id }: SwayNode): number => {
    const place = node.focus.indexOf(id);
    return place < 0 ? node.focus.length : place;
  };
  const inOrder = (nodes: readonly SwayNode[]) => nodes.toSorted((one, other) => rank(one) - rank(other));
  return [...inOrder(node.floating_nodes), ...inOrder(node.nodes)].flatMap(frontToBack);
};

/** On the output that shows most of it; null: none does. */
const physicalArea = (rect: Area, outputs: readonly Output[], displays: readonly Display[]): Area | null => {
  const shown = ({ logical }: Output): number => {
    const { width, height } = overlapOf(logical, rect) ?? { width: 0, height: 0 };
    return width * height;
  };
  const [output] = outputs.toSorted((one, other) => shown(other) - shown(one));
  const display = output && displays[outputs.indexOf(output)];
  if (!output || !display || shown(output) === 0) return null;
  const { logical, scale } = output;
  const left = display.x + Math.round((rect.x - logical.x) * scale);
  const top = display.y + Math.round((rect.y - logical.y) * scale);
  const right = display.x + Math.round((rect.x + rect.width - logical.x) * scale);
  const bottom = display.y + Math.round((rect.y + rect.height - logical.y) * scale);
  return { x: left, y: top, width: right - left, height: bottom - top };
};
