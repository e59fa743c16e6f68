/// The version that all executables of one release share.
public enum Release {
  /// The number of the release, as `--version` prints it.
  public static let version = "0.1.0"
}
