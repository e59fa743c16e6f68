internal import Pipeline

@main
enum PaidlineReconstruct {
  static func main() { CommandMain.reconstruct() }
}
