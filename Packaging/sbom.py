"""Writes the SBOM of the executables in CycloneDX 1.6.

Usage: sbom.py PROGRAM NOTICE FILE < GRAPH

GRAPH is the output of `swift package show-dependencies --format json`. The licences are read from the
table in NOTICE, and the works of others within these packages from its section "Within them". A
package without a licence there is an error, and so is a work whose version is not found.
"""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import uuid

# Packages that only the tests use.
UNSHIPPED = {"flyingfox"}

# Where a package states the version of a work within it: a file below its folder, and patterns whose
# groups are joined by dots. The folder of `swift` is that of the toolchain.
VERSIONS = {
    ("boringssl", "swift-crypto"): ("Package.swift", r"BoringSSL Commit: (\w+)"),
    ("boringssl", "swift-nio-ssl"): ("Package.swift", r"BoringSSL Commit: (\w+)"),
    ("llhttp", "swift-nio"): (
        "Sources/CNIOLLHTTP/include/c_nio_llhttp.h",
        r"LLHTTP_VERSION_MAJOR (\d+)[^#]*#define LLHTTP_VERSION_MINOR (\d+)[^#]*"
        r"#define LLHTTP_VERSION_PATCH (\d+)"),
    # The sources carry no version; the package's own version determines them.
    ("libyaml", "yams"): None,
    ("zlib", "swift-nio-extras"): (
        "Sources/CNIOExtrasZlib/include/nioextras-zlib.h", r'ZLIB_VERSION "([^"]+)"'),
    ("icu", "swift"): (
        "lib/swift_static/_foundation_unicode/uvernum.h", r'U_ICU_VERSION "([^"]+)"'),
}


def main(program, notice, file):
    version = said(program, "--version").split()[1]
    compiler = re.search(r"Swift version (\S+)", said("swift", "--version")).group(1)
    table = {"swift": ("swift", compiler, "https://github.com/swiftlang/swift", [])}
    graph = json.load(sys.stdin)
    flatten(graph["dependencies"], table)
    licenses = licenses_of(notice)
    missing = sorted(table.keys() - licenses.keys())
    if missing:
        raise SystemExit(f"{notice} has no licence for {', '.join(missing)}; add it to the table")

    folders = folders_of(graph["dependencies"])
    folders["swift"] = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swift"))))
    works = [work(name, holder, license, table[holder], folders[holder])
             for name, holder, license in embedded(notice)]
    parts = {purl(entry): [] for entry in table.values()}
    for it in works:
        parts[it["holder"]].append(it["component"]["bom-ref"])

    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
    own = f"pkg:generic/paidline@{version}"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application", "bom-ref": own, "name": "paidline", "version": version,
                "purl": own, "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": [component(entry, licenses[name]) for name, entry in sorted(table.items())]
        + [it["component"] for it in works],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(purl(entry) for entry in table.values())}
        ] + [
            {"ref": purl(entry),
             "dependsOn": sorted([purl(table[name]) for name in entry[3]] + parts[purl(entry)])}
            for _, entry in sorted(table.items())],
    }
    # The same content has the same serial number.
    content = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}"
    with open(file, "w", encoding="utf-8") as output:
        json.dump(document, output, indent=2)
        output.write("\n")


def said(*command):
    """Runs a command; returns its standard output."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def flatten(packages, table):
    """Adds packages and all their dependencies to a table, keyed by name.

    A value has name, version, URL and the names of direct dependencies.
    """
    for package in packages:
        name = package["identity"]
        if name in UNSHIPPED or name in table:
            continue
        needs = [it["identity"] for it in package["dependencies"] if it["identity"] not in UNSHIPPED]
        table[name] = (name, package["version"], package["url"].removesuffix(".git"), needs)
        flatten(package["dependencies"], table)


def folders_of(packages):
    """The folders of packages and all their dependencies, keyed by name."""
    folders = {}
    for package in packages:
        folders[package["identity"]] = package["path"]
        folders |= folders_of(package["dependencies"])
    return folders


def embedded(notice):
    """The works within packages, from NOTICE: name, package, SPDX expression."""
    line = re.compile(r"^(\w+) \(in ([^)]+)\): ([^,]+), ")
    with open(notice, encoding="utf-8") as file:
        section = file.read().split("\nWithin them:\n\n", 1)[1].split("\n\n", 1)[0]
    found = []
    for name, holders, license in (line.match(it).groups() for it in section.splitlines()):
        for holder in holders.split(" and "):
            found.append((name, holder.removesuffix("'s Foundation"), license))
    return found


def work(name, holder, license, package, folder):
    """The component of a work within a package."""
    place = VERSIONS[(name.lower(), holder)]
    if place is None:
        version = f"in-{holder}-{package[1]}"
    else:
        path = os.path.join(folder, place[0])
        with open(path, encoding="utf-8") as file:
            match = re.search(place[1], file.read())
        if not match:
            raise SystemExit(f"{path} does not state the version of {name}")
        version = ".".join(match.groups())
    reference = f"pkg:generic/{name.lower()}@{version}?in={holder}"
    return {
        "holder": purl(package),
        "component": {
            "type": "library", "bom-ref": reference, "name": name, "version": version,
            "purl": f"pkg:generic/{name.lower()}@{version}",
            "licenses": [{"expression": license}],
            "description": f"the copy in {holder}",
        },
    }


def licenses_of(notice):
    """Reads the SPDX expressions of the packages from the table in NOTICE."""
    with open(notice, encoding="utf-8") as file:
        rows = (re.split(r"\s{2,}", line.strip()) for line in file)
        return {row[0]: row[1] for row in rows if len(row) == 3}


def purl(entry):
    """The package URL (purl) of a package version."""
    name, version, url, _ = entry
    return f"pkg:swift/{url.split('://')[1]}@{version}"


def component(entry, license):
    """The CycloneDX component of a package."""
    name, version, url, _ = entry
    return {
        "type": "library", "bom-ref": purl(entry), "name": name, "version": version,
        "purl": purl(entry), "licenses": [{"expression": license}],
        "externalReferences": [{"type": "vcs", "url": url}],
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
