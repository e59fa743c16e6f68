/// The version number of all executables of a release.
public enum Release {
  /// The version number, for `--version`.
  public static let version = "0.2.0"
}
