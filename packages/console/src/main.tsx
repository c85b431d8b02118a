import { render } from 'preact';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import { App, loadViewEarly } from './App.tsx';
import { loadSession } from './kit/session.ts';
import { takeIssuerFailure, takeSignInLink } from './signInLink.ts';

const root = document.getElementById('app');
if (root) render(<App />, root);
loadViewEarly();
takeIssuerFailure();
void takeSignInLink().finally(loadSession);
