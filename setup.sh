#!/usr/bin/env bash
# Installs the system packages that Biota needs beside a Rust toolchain.
#
# Debian and Ubuntu: asks dpkg what is there, and installs only what is missing;
# where nothing is missing it touches neither apt nor the network. Elsewhere it
# prints what to install and leaves it at that. It never needs cargo.
set -euo pipefail

# Libraries that the program opens at run time (dlopen), so the linker never
# misses them and ldd does not list them. Which crate opens which:
#   ash                    libvulkan.so.1
#   x11-dl, as winit uses  libX11.so.6 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6
#   x11rb                  libxcb.so.1
#   xkbcommon-dl           libxkbcommon.so.0 libxkbcommon-x11.so.0
#   wayland-sys            libwayland-client.so.0
#   rfd (the file dialog)  libdbus-1.so.3
# winit speaks RandR and draws the Wayland cursor without a C library, hence no
# libxrandr2 and no libwayland-cursor0.
runtime_packages=(
    libdbus-1-3
    libvulkan1
    libwayland-client0
    libx11-6
    libx11-xcb1
    libxcb1
    libxcursor1
    libxi6
    libxkbcommon-x11-0
    libxkbcommon0
    # The Vulkan drivers of Mesa: AMD and Intel hardware, and lavapipe, the
    # software adapter that the tests run on.
    mesa-vulkan-drivers
)

# The end-to-end test starts the window on a virtual display, presses keys, and
# reads the picture from the file that `Xvfb -fbdir` maps: no screenshot tool.
test_packages=(
    xdotool
    xvfb
)

# rustc calls `cc` to link, and one crate of the benches compiles a C file. Any
# compiler on the PATH will do; libc6-dev is only a recommendation of gcc, so it
# is named. Nothing here asks pkg-config for a library.
build_packages=()
if ! command -v cc >/dev/null 2>&1; then
    build_packages=(gcc libc6-dev)
fi

# Prints what other systems call these things.
explain_other_systems() {
    cat <<'TEXT'
setup.sh: this system has no dpkg and apt-get, so nothing was installed. Biota needs a C compiler
for linking, a Vulkan driver, and the client libraries of X11 or Wayland:
  Fedora   sudo dnf install gcc mesa-vulkan-drivers vulkan-loader libX11 libX11-xcb libxcb \
             libXcursor libXi libxkbcommon libxkbcommon-x11 libwayland-client dbus-libs
           for the tests: xorg-x11-server-Xvfb xdotool
  Arch     sudo pacman -S --needed gcc vulkan-icd-loader vulkan-swrast libx11 libxcb libxcursor \
             libxi libxkbcommon libxkbcommon-x11 wayland dbus
           (vulkan-radeon, vulkan-intel or nvidia-utils for your GPU)
           for the tests: xorg-server-xvfb xdotool
  NixOS    hardware.graphics.enable = true; in the configuration brings the driver. A shell with the rest:
             nix-shell -p gcc vulkan-loader libxkbcommon wayland dbus xorg.libX11 xorg.libxcb \
               xorg.libXcursor xorg.libXi
             export LD_LIBRARY_PATH=$(for i in $buildInputs; do printf '%s/lib:' "$i"; done)
           for the tests: xorg.xorgserver xdotool
  macOS    the Xcode command line tools (xcode-select --install); Metal is built in
  Windows  the Visual Studio Build Tools with "Desktop development with C++"; Direct3D 12 is built in
TEXT
}

is_installed() {
    # ${db:Status-Status} is dpkg's own word: "installed", or "config-files"
    # for what was removed but not purged.
    local status
    status=$(dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2>/dev/null) || return 1
    # With two architectures installed there are two lines; one is enough.
    grep -qx installed <<<"$status"
}

main() {
    if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
        explain_other_systems
        return 0
    fi

    local missing=() package
    for package in "${runtime_packages[@]}" "${test_packages[@]}" "${build_packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done

    if [[ ${#missing[@]} -eq 0 ]]; then
        echo "setup.sh: every system package that Biota needs is installed; nothing to do."
        return 0
    fi

    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "error: these packages are missing, and installing them needs root: ${missing[*]}" >&2
            echo "error: as root, run: apt-get install --no-install-recommends ${missing[*]}" >&2
            return 2
        fi
        as_root=(sudo)
    fi

    echo "setup.sh: installing ${#missing[@]} missing system package(s) with apt-get: ${missing[*]}"
    # `env` rather than an export: sudo clears the environment.
    # An update that fails (one broken third-party source is enough) need not
    # keep packages from being installed, so the install decides.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
        echo "setup.sh: apt-get update failed; trying with the package lists that are here." >&2
    # Without recommendations: those of Xvfb and xdotool alone are fonts and a
    # desktop's worth of libraries that nothing here opens.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y --no-install-recommends "${missing[@]}"
    echo "setup.sh: done."
}

main "$@"
