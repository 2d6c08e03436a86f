"""All applications, by name."""

from __future__ import annotations

from apps import (
    bilateral_grid,
    blur,
    box_blur,
    camera_pipe,
    conv_layer,
    fft,
    harris,
    hist,
    iir_blur,
    interpolate,
    lens_blur,
    local_laplacian,
    mat_mul,
    max_filter,
    median,
    nl_means,
    pyramid_blend,
    resize,
    stencil_chain,
    unsharp,
)
from apps.app import App

APPS: dict[str, App] = {
    app.name: app
    for app in (
        blur.APP,
        unsharp.APP,
        camera_pipe.APP,
        harris.APP,
        hist.APP,
        iir_blur.APP,
        resize.APP,
        bilateral_grid.APP,
        interpolate.APP,
        local_laplacian.APP,
        nl_means.APP,
        lens_blur.APP,
        max_filter.APP,
        stencil_chain.APP,
        median.APP,
        mat_mul.APP,
        conv_layer.APP,
        box_blur.APP,
        pyramid_blend.APP,
        fft.APP,
    )
}
