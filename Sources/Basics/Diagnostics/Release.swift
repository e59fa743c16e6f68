/// The version number of all executables of a release.
public enum Release {
  /// The number of the release, as `--version` prints it.
  public static let version = "0.1.0"
}
