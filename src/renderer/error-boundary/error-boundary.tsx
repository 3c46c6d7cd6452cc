/** Keeps what breaks while it is drawn from taking all of the page with it. React still writes the error to the console. */

import { Component, type ComponentType, type ErrorInfo, type ReactNode } from 'react';

export interface ErrorFallbackProps {
  readonly error: unknown;
  /** The parts that led to the broken one, one in a line; null until React has told. */
  readonly parts: string | null;
  /** Draws it anew; stays the same for as long as the boundary is there. */
  readonly tryAgain: () => void;
}

interface BoundaryProps {
  /** Shown in its place, and kept if it breaks anew: the error is then another one. */
  readonly fallback: ComponentType<ErrorFallbackProps>;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly failed: { readonly error: unknown } | null;
  readonly parts: string | null;
}

const WHOLE: BoundaryState = { failed: null, parts: null };

/** A class, because React has nothing else for it. */
export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state = WHOLE;

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failed: { error }, parts: null };
  }

  override componentDidCatch(_: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ parts: componentStack ?? null });
  }

  readonly tryAgain = (): void => this.setState(WHOLE);

  override render(): ReactNode {
    const { fallback: Fallback, children } = this.props;
    const { failed, parts } = this.state;
    return failed === null ? children : <Fallback error={failed.error} parts={parts} tryAgain={this.tryAgain} />;
  }
}
