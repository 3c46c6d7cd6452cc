/** Catches the render errors of its children and shows a fallback instead. React still logs them to the console. */

import { Component, type ComponentType, type ErrorInfo, type ReactNode } from 'react';

export interface ErrorFallbackProps {
  readonly error: unknown;
  /** Component stack, one component per line; null until React reports it. */
  readonly parts: string | null;
  /** Renders the children again; a stable function. */
  readonly tryAgain: () => void;
}

interface BoundaryProps {
  /** Rendered instead of the children, anew each time they fail. */
  readonly fallback: ComponentType<ErrorFallbackProps>;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly failed: { readonly error: unknown } | null;
  readonly parts: string | null;
}

const NO_ERROR: BoundaryState = { failed: null, parts: null };

/** React supports error boundaries as classes only. */
export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state = NO_ERROR;

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failed: { error }, parts: null };
  }

  override componentDidCatch(_: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ parts: componentStack ?? null });
  }

  readonly tryAgain = (): void => this.setState(NO_ERROR);

  override render(): ReactNode {
    const { fallback: Fallback, children } = this.props;
    const { failed, parts } = this.state;
    return failed === null ? children : <Fallback error={failed.error} parts={parts} tryAgain={this.tryAgain} />;
  }
}
