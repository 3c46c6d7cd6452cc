/**
 * The network that an address belongs to, which is what limits count. An IPv4 address counts by itself; of IPv6 a /64 is
 * what one line has, and a /56 what one customer may have, so both count: the wider one with ten times the limit.
 */
import { isIPv4, isIPv6 } from 'node:net';
import type { Brand } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';

/** A network in its one spelling, such as `203.0.113.9` or `2001:db8:0:1::/64`. */
export type Network = string & Brand<'Network'>;

interface CountedNetwork {
  readonly network: Network;
  /** How many times an ordinary limit it may use. */
  readonly factor: number;
}

/** All that a request counts for, the narrowest first. A limit is kept only when it is kept for each of them. */
export type Networks = readonly [CountedNetwork, ...CountedNetwork[]];

/** What may take one trial: one household or office. */
export type TrialNetwork = string & Brand<'TrialNetwork'>;

const GROUPS = 8;
const GROUP_BITS = 16;
const LINE_BITS = 64;
const CUSTOMER_BITS = 56;
const TRIAL_BITS = 48;
/** Whatever a proxy sends in place of an address counts as one network. */
const UNKNOWN = 'unknown';

/** A proxy may send a port along: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/** The last two groups may be written as an IPv4 address. */
const groupsIn = (text: string): readonly number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [a * 256 + b, c * 256 + d];
      });

const groupsOf = (address: string): readonly number[] => {
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsIn(head), groupsIn(tail ?? '')];
  return [...before, ...Array.from({ length: GROUPS - before.length - after.length }, () => 0), ...after];
};

const isMapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;

const ipv4In = (groups: readonly number[]): string =>
  groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');

type Parsed = { readonly v4: string } | { readonly v6: readonly number[] } | null;

const parse = (text: string): Parsed => {
  const address = withoutPort(text.trim()).split('%')[0] ?? '';
  if (isIPv4(address)) return { v4: address };
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  return isMapped(groups) ? { v4: ipv4In(groups) } : { v6: groups };
};

/** The first `bits` of an address. */
const prefix = (groups: readonly number[], bits: number): string => {
  const kept = groups.slice(0, Math.ceil(bits / GROUP_BITS)).map((group, index) => {
    const inside = Math.min(GROUP_BITS, bits - index * GROUP_BITS);
    return (group & (0xffff << (GROUP_BITS - inside)) & 0xffff).toString(16);
  });
  return `${kept.join(':')}::/${bits}`;
};

const counted = (network: string, factor: number): CountedNetwork => ({ network: network as Network, factor });

/** Each request asks several times, mostly for the address of the request before. */
const known = new Map<string, Networks>();
const KNOWN_MAX = 1_000;

/** What a request from `ip` counts for. It is the only way to a `Network`, so that no limit counts single addresses. */
export const networksOf = ({ ip }: { readonly ip: string }): Networks => {
  const remembered = known.get(ip);
  if (remembered !== undefined) return remembered;
  const networks = networksIn(ip);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(ip, networks);
  return networks;
};

const networksIn = (ip: string): Networks => {
  const parsed = parse(ip);
  if (parsed === null) return [counted(UNKNOWN, 1)];
  if ('v4' in parsed) return [counted(parsed.v4, 1)];
  return [
    counted(prefix(parsed.v6, LINE_BITS), 1),
    counted(prefix(parsed.v6, CUSTOMER_BITS), LIMITS.widerNetworkFactor),
  ];
};

/** The narrowest network at the other end of a connection. */
export const networkOfSocket = ({ remoteAddress }: { readonly remoteAddress?: string | undefined }): Network =>
  networksOf({ ip: remoteAddress ?? '' })[0].network;

/** The first three bytes of an IPv4 address, the first three groups of an IPv6 address. */
export const trialNetworkOf = ({ ip }: { readonly ip: string }): TrialNetwork => {
  const parsed = parse(ip);
  if (parsed === null) return UNKNOWN as TrialNetwork;
  if ('v6' in parsed) return prefix(parsed.v6, TRIAL_BITS) as TrialNetwork;
  return `${parsed.v4.split('.').slice(0, 3).join('.')}.0/24` as TrialNetwork;
};

/** The address itself, to show it to people. Nothing is counted by it. */
export const addressToShow = ({ ip }: { readonly ip: string }): string => ip;
