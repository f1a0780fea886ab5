import "uplot/dist/uPlot.min.css";
import "../../report/src/style.css";
import "./style.css";
import { startStudio } from "./page/app";

startStudio();
