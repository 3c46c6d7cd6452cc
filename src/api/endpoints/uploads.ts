/**
 * Endpoints that publish a file (in parts or in one request), a folder or a note, and those that list the unfinished
 * uploads in parts, read one in any state, and cancel one.
 */
import Type from 'typebox';
import { RequestKey, UploadId } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { CreateNote } from '../note.ts';
import { CompleteUpload, PendingUploads, ResumableUpload, StartUpload } from '../resumable-upload.ts';
import {
  CreatedContent,
  CreatedFolder,
  SingleRequestUploadForm,
  SingleRequestUploadHeaders,
} from '../single-request-upload.ts';
import type { Endpoint } from './endpoint.ts';

const UploadParams = Type.Object({ id: UploadId });

/** The expected account; a different one gets 409 before any state is read (API document, Authentication 6). */
const GuardHeaders = Type.Object({ 'x-service-account': Type.Optional(Type.String()) });

export const UPLOADS_ENDPOINTS = {
  startUpload: {
    method: 'POST',
    path: '/api/v1/uploads/resumable',
    summary: 'Start a resumable upload',
    scope: 'content:write',
    budget: 'uploads',
    headers: Type.Object({ ...GuardHeaders.properties, 'idempotency-key': RequestKey }),
    body: StartUpload,
    status: 200,
    reply: ResumableUpload,
  },
  listUploads: {
    method: 'GET',
    path: '/api/v1/uploads/resumable',
    summary: 'The pending resumable uploads of the account',
    scope: 'content:write',
    budget: 'uploads',
    headers: GuardHeaders,
    status: 200,
    reply: PendingUploads,
  },
  readUpload: {
    method: 'GET',
    path: '/api/v1/uploads/resumable/:id',
    summary: 'The confirmed state of a resumable upload',
    scope: 'content:write',
    budget: 'uploads',
    params: UploadParams,
    headers: GuardHeaders,
    status: 200,
    reply: ResumableUpload,
  },
  putPart: {
    method: 'PUT',
    path: '/api/v1/uploads/resumable/:id/parts/:index',
    summary: 'Upload one immutable part',
    scope: 'content:write',
    budget: 'parts',
    params: Type.Object({ id: UploadId, index: Type.Integer({ minimum: 0, maximum: LIMITS.maxParts - 1 }) }),
    headers: GuardHeaders,
    status: 200,
    reply: ResumableUpload,
  },
  completeUpload: {
    method: 'POST',
    path: '/api/v1/uploads/resumable/:id/complete',
    summary: 'Verify the parts and publish exactly one item',
    scope: 'content:write',
    budget: 'uploads',
    params: UploadParams,
    headers: GuardHeaders,
    body: CompleteUpload,
    status: 200,
    reply: ResumableUpload,
  },
  cancelUpload: {
    method: 'DELETE',
    path: '/api/v1/uploads/resumable/:id',
    summary: 'Cancel a pending upload',
    scope: 'content:write',
    budget: 'uploads',
    params: UploadParams,
    headers: GuardHeaders,
    status: 204,
    reply: null,
  },
  uploadFile: {
    method: 'POST',
    path: '/api/v1/uploads',
    summary: 'Share an image or a video, sent whole',
    scope: 'content:write',
    budget: 'general',
    headers: SingleRequestUploadHeaders,
    form: SingleRequestUploadForm,
    status: 201,
    reply: CreatedContent,
  },
  createFolder: {
    method: 'POST',
    path: '/api/v1/folders',
    summary: 'Share a folder of code, sent as one ZIP',
    scope: 'content:write',
    budget: 'general',
    headers: SingleRequestUploadHeaders,
    form: SingleRequestUploadForm,
    status: 201,
    reply: CreatedFolder,
  },
  createNote: {
    method: 'POST',
    path: '/api/v1/pastes',
    summary: 'Share a note: text, Markdown or code',
    scope: 'content:write',
    budget: 'general',
    headers: SingleRequestUploadHeaders,
    body: CreateNote,
    status: 201,
    reply: CreatedContent,
  },
} as const satisfies Record<string, Endpoint>;
