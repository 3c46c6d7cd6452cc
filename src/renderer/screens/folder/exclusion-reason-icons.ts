/** Icons for the reasons why a file of a folder is excluded. */
import {
  Binary,
  CopyX,
  EyeOff,
  FileWarning,
  FolderGit2,
  GitBranch,
  Hammer,
  Link2Off,
  Lock,
  type LucideIcon,
  MonitorX,
  Package,
  PlugZap,
  Route,
  ShieldCheck,
  Weight,
} from 'lucide-react';
import type { ExclusionReason } from '../../../common/folder/folder-preview.ts';

export const EXCLUSION_REASON_ICONS: Readonly<Record<ExclusionReason, LucideIcon>> = {
  service: GitBranch,
  dependencies: Package,
  build: Hammer,
  secret: ShieldCheck,
  gitignore: EyeOff,
  name: MonitorX,
  path: Route,
  large: Weight,
  binary: Binary,
  duplicate: CopyX,
  link: Link2Off,
  special: PlugZap,
  unreadable: Lock,
  encoding: FileWarning,
  repository: FolderGit2,
};
