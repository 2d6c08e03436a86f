"""All applications, by name."""

from __future__ import annotations

from apps import blur, camera_pipe, unsharp
from apps.app import App

APPS: dict[str, App] = {app.name: app for app in (blur.APP, unsharp.APP, camera_pipe.APP)}
